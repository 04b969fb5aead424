package main

import (
	"context"
	"log/slog"
	"os"
	"reflect"
	"time"

	"dudo.example/mcpserver"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
)

// lookEvery is how often the rule files are looked at on disk. They are asked for their sizes and times, which is the same on every
// file system and costs microseconds, and read only when those have changed and then stayed for this long.
const lookEvery = time.Second

// An offer keeps what a server has on offer as its rule files are.
type offer struct {
	book   *rulebook.Book
	lobby  *tables.Lobby
	server *mcpserver.Server
	log    *slog.Logger

	config *config
	reread func() (*config, error) // the settings as they are now
}

// keep reads the rule files again when they have changed on disk or a signal says so, until ctx ends. Whatever is wrong then is
// logged, and leaves things as they were.
func (o *offer) keep(ctx context.Context, signals <-chan os.Signal) {
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if o.book.Moved() {
				o.reload()
			}
		case <-signals:
			o.settings()
			o.reload()
			o.log.Info("rule files were read again", "on_offer", len(o.book.Files()), "faults", len(o.book.Faults()))
		case <-o.lobby.PlayedChanged():
			o.refresh()
		}
	}
}

func (o *offer) reload() {
	if o.book.Reload() {
		o.lobby.Offer(rulebook.Rulesets(o.book.Files()))
		o.refresh()
	}
}

func (o *offer) refresh() {
	if err := o.server.Refresh(); err != nil {
		o.log.Error("the tools stay as they were", "error", err)
	}
}

// settings reads the settings again, of which only the names of rule files can change while the server runs.
func (o *offer) settings() {
	c, err := o.reread()
	if err != nil {
		o.log.Error("the settings stay as they were", "error", err)
		return
	}
	o.book.Rename(c.Rules)
	was, is := *o.config, *c
	was.Rules, is.Rules = nil, nil
	if !reflect.DeepEqual(was, is) {
		o.log.Warn("other settings than rules have changed; they count from the next start on")
	}
}

// faults are those of the book as the server tells them.
func faults(b *rulebook.Book) []mcpserver.Fault {
	var list []mcpserver.Fault
	for _, f := range b.Faults() {
		list = append(list, mcpserver.Fault{File: f.File(), Error: f.Brief()})
	}
	return list
}
