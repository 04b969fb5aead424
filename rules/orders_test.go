package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/rules"
)

// ordered gives the coin game with an order of bids.
func ordered(t *testing.T, is, kind string) *rules.File {
	t.Helper()
	text := replaced(t, "  above(a, b):\n    is: a > b\n    strict_order: true\n    table: [[0, 3], [0, 3]]", `  outranks(quantity, face, other_quantity, other_face):
    is: |
      `+strings.ReplaceAll(is, "\n", "\n      ")+`
    `+kind+`: yes
    table: [[1, 4], [1, 3], [1, 4], [1, 3]]`)
	f, err := rules.Parse("coin.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOrders(t *testing.T) {
	tests := []struct {
		name, is string
		want     rules.Order
	}{
		{
			"quantity first", "quantity > other_quantity || quantity == other_quantity && face > other_face",
			rules.Order{Total: true, Transitive: true},
		},
		{
			"neither may fall", "quantity >= other_quantity && face >= other_face && (quantity > other_quantity || face > other_face)",
			rules.Order{Transitive: true, Witnesses: []string{"neither of 2×1 and 1×2 outranks the other"}},
		},
		{
			"half to ones, twice and one more back", "face == 1 && other_face != 1 ? quantity >= ceildiv(other_quantity, 2)\n" +
				": other_face == 1 && face != 1 ? quantity > 2 * other_quantity\n" +
				": quantity > other_quantity || quantity == other_quantity && face > other_face",
			rules.Order{Total: true, Transitive: true},
		},
		{
			"the face may fall to ones alone", "face == 1 && other_face != 1 ? quantity >= ceildiv(other_quantity, 2)\n" +
				": other_face == 1 && face != 1 ? quantity > 2 * other_quantity\n" +
				": quantity >= other_quantity && face >= other_face && (quantity > other_quantity || face > other_face)",
			rules.Order{Witnesses: []string{
				"neither of 2×2 and 1×3 outranks the other",
				"3×2 outranks 1×1 and 1×1 outranks 1×3, but 3×2 does not outrank 1×3",
			}},
		},
		{
			"one more of the same face", "face == other_face && quantity == other_quantity + 1",
			rules.Order{Witnesses: []string{
				"neither of 1×2 and 1×1 outranks the other",
				"3×1 outranks 2×1 and 2×1 outranks 1×1, but 3×1 does not outrank 1×1",
			}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			want.Function, want.Bids = "outranks", 12
			got, err := ordered(t, tt.is, "order").Orders(2, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]rules.Order{want}, got); diff != "" {
				t.Errorf("Orders (-want +got):\n%s", diff)
			}
			if want.Total && want.Transitive {
				got, err := ordered(t, tt.is, "strict_order").Orders(3, nil)
				if err != nil || len(got) != 1 || !got[0].Strict {
					t.Errorf("Orders = %v, %v, want a strict one", got, err)
				}
			}
		})
	}
}

// TestShippedOrders finds that what ships as strict is, and that neither may fall in monotone.
func TestShippedOrders(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]rules.Order{}
	for _, f := range files {
		orders, err := f.Orders(f.MaxSeats, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range orders {
			found[f.Game+" "+o.Function] = o
			if holds := 2 - len(o.Witnesses); (o.Strict && holds != 2) || o.Total && o.Transitive != (holds == 2) {
				t.Errorf("%s: Orders = %+v", f.Game, o)
			}
		}
	}
	standard, monotone := found["liars-dice/standard outranks"], found["liars-dice/monotone outranks"]
	if !standard.Strict || standard.Bids != 6*3*6 {
		t.Errorf("standard: Orders = %+v, want a strict one of 108 bids", standard)
	}
	if !monotone.Transitive || !slices.Equal(monotone.Witnesses, []string{"neither of 2×1 and 1×2 outranks the other"}) {
		t.Errorf("monotone: Orders = %+v, want a transitive one that is not total", monotone)
	}
}
