package croupier

import (
	"math"

	"dudo.example/plugins/bot"
)

const (
	// faces is the number of faces of a die.
	faces = 6
	// maxDice is how many dice croupier reckons with at most.
	maxDice = 500
	// belief is how much more often than by chance a bidder's dice are taken
	// to show the face that was bid.
	belief = 0.25
	// passed is what it is worth, in dice, that the next player bids instead
	// of challenging.
	passed = 0.2
)

// odds is what croupier reckons with in one position.
type odds struct {
	view    bot.View
	unknown int   // dice under other cups
	bidder  int   // of these, the standing bidder's
	open    []int // dice that everybody sees, its own among them
}

func newOdds(v bot.View) odds {
	o := odds{view: v}
	for _, s := range v.Seats {
		o.open = append(o.open, s.Pushed...)
		hidden := min(maxDice, s.DiceLeft) - len(s.Pushed)
		if s.Seat == v.You.Seat || hidden <= 0 {
			continue
		}
		o.unknown = min(maxDice, o.unknown+hidden)
		if v.Standing != nil && s.Seat == v.Standing.Seat {
			o.bidder = hidden
		}
	}
	return o
}

// value is what a move is worth, in dice; false for one that croupier does not
// know.
func (o odds) value(m bot.Move) (float64, bool) {
	switch m.Action {
	case "challenge":
		if o.view.Standing == nil {
			return 0, false
		}
		return stake(1 - o.truth(o.view.Standing.Quantity, o.view.Standing.Face)), true
	case "spot_on":
		if o.view.Standing == nil {
			return 0, false
		}
		quantity, face := o.view.Standing.Quantity, o.view.Standing.Face
		return stake(o.truth(quantity, face) - o.truth(quantity+1, face)), true
	case "bid":
		quantity, face := m.Args["quantity"], m.Args["face"]
		if quantity < 1 || face < 1 || face > faces {
			return 0, false
		}
		challenged := 1 - o.looks(quantity, face)
		return challenged*stake(o.truth(quantity, face)) + (1-challenged)*passed, true
	default:
		return 0, false
	}
}

// stake is what a showdown is worth that is won with chance p: a die more than
// another, or one less.
func stake(p float64) float64 { return 2*p - 1 }

// chance is how likely a die counts as face.
func (o odds) chance(face int64) float64 {
	if o.view.Wild > 0 && face != o.view.Wild {
		return 2.0 / faces
	}
	return 1.0 / faces
}

// showing is how many of dice count as face.
func (o odds) showing(dice []int, face int64) (n int64) {
	for _, d := range dice {
		if int64(d) == face || o.view.Wild > 0 && int64(d) == o.view.Wild {
			n++
		}
	}
	return n
}

// truth is the chance that quantity dice count as face, as croupier sees it.
func (o odds) truth(quantity, face int64) float64 {
	need := quantity - o.showing(o.view.You.Dice, face) - o.showing(o.open, face)
	p := o.chance(face)
	if s := o.view.Standing; s != nil && s.Face == face && o.unknown > 0 {
		p += belief * float64(o.bidder) / float64(o.unknown)
	}
	return atLeast(need, o.unknown, p)
}

// looks is the chance that a bid is true as it looks to the next player, who
// holds a rival's share of the dice, does not know croupier's and believes a
// bidder a little.
func (o odds) looks(quantity, face int64) float64 {
	own := len(o.view.You.Dice)
	p := o.chance(face) + belief*float64(own)/float64(max(1, own+o.unknown))
	return atLeast(quantity-o.showing(o.open, face), own+o.unknown, p)
}

// atLeast is the chance of need or more successes in n trials of chance p.
func atLeast(need int64, n int, p float64) float64 {
	if need <= 0 {
		return 1
	}
	if need > int64(n) {
		return 0
	}
	sum := 0.0
	for k := int(need); k <= n; k++ {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		sum += math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return min(1, sum)
}
