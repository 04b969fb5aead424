package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	fetchTime     = 30 * time.Second
	headerLimit   = 64 << 10
	redirectLimit = 3
)

// open opens a file, an address or, for -, standard input. What is read from it is bounded by the verifier.
func (c *command) open(ctx context.Context, source string) (io.ReadCloser, error) {
	switch {
	case source == "-":
		return io.NopCloser(c.in), nil
	case isAddress(source):
		return fetch(ctx, source, fetchTime)
	}
	info, err := os.Stat(source)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errors.New("this is a folder, not a record")
	}
	return os.Open(source)
}

// fetch asks an address for a record. The limit holds for the answer's last byte as well.
func fetch(ctx context.Context, address string, limit time.Duration) (io.ReadCloser, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		cancel()
		return nil, err
	}
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		MaxResponseHeaderBytes: headerLimit,
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true,
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > redirectLimit {
			return fmt.Errorf("more than %d redirects", redirectLimit)
		}
		return nil
	}}
	resp, err := client.Do(req)
	if err != nil {
		cancel()
		return nil, err
	}
	body := &answer{ReadCloser: resp.Body, cancel: cancel}
	if resp.StatusCode != http.StatusOK {
		body.Close()
		return nil, errors.New(answered(resp.StatusCode))
	}
	return body, nil
}

func isAddress(source string) bool {
	return strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://")
}

// answered says what a status other than 200 means for a record.
func answered(status int) string {
	text := fmt.Sprintf("the server answered %d %s", status, http.StatusText(status))
	switch status {
	case http.StatusNotFound:
		return text + "; check the table's code: the server has no such record, or it has expired"
	case http.StatusTooManyRequests:
		return text + "; try again in a minute"
	}
	return text
}

// answer is a body that ends its request when it is closed.
type answer struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (a *answer) Close() error {
	defer a.cancel()
	return a.ReadCloser.Close()
}
