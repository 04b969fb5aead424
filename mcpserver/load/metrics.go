package load

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// ReadMetrics reads the counters and gauges without labels that a server shows at an address such as
// http://127.0.0.1:8788/metrics.
func ReadMetrics(ctx context.Context, url string) (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("the metrics: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the metrics: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the metrics at %s: %s", url, res.Status)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(res.Body)
	if err != nil {
		return nil, fmt.Errorf("the metrics: %w", err)
	}
	values := map[string]float64{}
	for name, f := range families {
		if len(f.Metric) != 1 || len(f.Metric[0].Label) > 0 {
			continue
		}
		if g := f.Metric[0].Gauge; g != nil {
			values[name] = g.GetValue()
		} else if c := f.Metric[0].Counter; c != nil {
			values[name] = c.GetValue()
		}
	}
	return values, nil
}
