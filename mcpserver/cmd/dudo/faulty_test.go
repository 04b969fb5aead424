package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dudo.example/mcpserver/client"
	"dudo.example/plugins/bot"
)

// faulty are bots that the test binary can be, by the name of its file. fault is what the record and the log say of one that
// takes a seat; outcome is what only the log says of one that does not start.
var faulty = map[string]struct {
	run            func()
	fault, outcome string
}{
	"illegal": {run: answers(bot.Move{Action: "bid", Args: map[string]int64{"quantity": 31, "face": 9}}), fault: "illegal_move"},
	"crash":   {run: decides(func(bot.View) bot.Move { os.Exit(3); return bot.Move{} }), fault: "crashed"},
	"hang":    {run: decides(func(bot.View) bot.Move { select {} }), fault: "timeout"},
	"huge":    {run: answers(bot.Move{Action: "bid", Say: strings.Repeat("a", 8<<20)}), fault: "oversize"},
	"noisy": {run: func() {
		fmt.Println("hello, I am a bot")
		decides(func(v bot.View) bot.Move {
			for range 500 {
				fmt.Println(strings.Repeat("noise ", 100))
			}
			return v.Legal()[0]
		})()
	}},
	"fork": {run: decides(func(v bot.View) bot.Move {
		_ = exec.Command("sleep", "600").Start()
		return v.Legal()[0]
	})},
	"slow": {run: func() { time.Sleep(time.Minute) }, outcome: "slow_start"},
	"old": {run: func() {
		fmt.Printf("1|2|unix|%s/s|grpc|\n", os.Getenv("PLUGIN_UNIX_SOCKET_DIR"))
		time.Sleep(time.Minute)
	}, outcome: "version"},
}

func decides(f func(bot.View) bot.Move) func() {
	return func() {
		bot.Serve(bot.Info{Name: "faulty", Version: "1"}, func(bot.SeatInfo) bot.Player { return bot.DecideFunc(f) })
	}
}

func answers(m bot.Move) func() { return decides(func(bot.View) bot.Move { return m }) }

// Bots that crash, hang, flood, lie and cheat, all at once on one server: each loses by the clock and is named in its game's
// record and in the log, the others' games go on, and nothing is left behind.
func TestFaultyBots(t *testing.T) {
	t.Parallel()
	bots := t.TempDir()
	for name := range faulty {
		linkSelf(t, filepath.Join(bots, "dudo-bot-"+name))
	}
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "", "--plugins", bots)
	var games sync.WaitGroup
	for name, f := range faulty {
		games.Go(func() { s.playFaulty(name, f.fault, f.outcome) })
	}
	ended := make(chan struct{})
	go func() {
		games.Wait()
		close(ended)
	}()
	moves := s.playBeside(ended)
	slices.Sort(moves)
	half, most := moves[len(moves)/2], moves[len(moves)*99/100]
	t.Logf("%d moves at another table meanwhile: half within %v, 99 of 100 within %v", len(moves), half, most)
	if half > 50*time.Millisecond {
		t.Errorf("half of the moves at another table took more than %v, want at most 50ms", half)
	}
	s.signal(syscall.SIGKILL)
	s.checkNothingLeft()
}

// playFaulty plays one game against a faulty bot.
func (s *server) playFaulty(name, fault, outcome string) {
	a := s.agent("ann", map[string]any{"seats": 2, "dice": 1, "turn_seconds": 20, "public": false})
	err := a.Client.Call(s.t.Context(), "start_game", map[string]any{"token": a.Token, "bots": []string{name}}, &struct{}{})
	if outcome != "" {
		var refusal *client.Refusal
		if !errors.As(err, &refusal) || refusal.Code != "bot_unavailable" {
			s.t.Errorf("%s: start_game says %v", name, err)
		}
		if !s.logs("bot=" + name + " outcome=" + outcome) {
			s.t.Errorf("%s: the log does not name its outcome %s:\n%s", name, outcome, s.out)
		}
		return
	}
	if err != nil {
		s.t.Errorf("%s: %v", name, err)
		return
	}
	end := s.finish(a, nil)
	text, err := a.Client.Record(s.t.Context(), a.Table)
	if err != nil {
		s.t.Error(err)
		return
	}
	if fault == "" {
		if bytes.Contains(text, []byte(`"fault"`)) {
			s.t.Errorf("%s: the record names a fault:\n%s", name, text)
		}
		return
	}
	if len(end.Places) != 2 || end.Places[0] != 1 {
		s.t.Errorf("%s: places %v, want the player first", name, end.Places)
	}
	if !bytes.Contains(text, []byte(`"fault":"`+fault+`"`)) || !s.logs("outcome="+fault) {
		s.t.Errorf("%s: the record and the log must name its fault %s:\n%s", name, fault, text)
	}
}

// playBeside plays games with croupier until the others are over, and gives how long each move took.
func (s *server) playBeside(ended <-chan struct{}) (moves []time.Duration) {
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	for {
		a := s.agent("bob", map[string]any{"seats": 2, "dice": 5, "public": false})
		a.Observe = func(tool string, took time.Duration, err error) {
			if tool == "bid" || tool == "challenge" {
				moves = append(moves, took)
			}
		}
		if err := a.Start(ctx, 1); err != nil {
			s.t.Error(err)
			return moves
		}
		if _, err := a.Play(ctx, nil); err != nil {
			s.t.Error(err)
			return moves
		}
		select {
		case <-ended:
			return moves
		case <-time.After(500 * time.Millisecond):
		}
	}
}
