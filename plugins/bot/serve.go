package bot

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"dudo.example/plugins/proto"
)

// Serve runs the bot: it is all that main has to do, and returns only when
// dudo has gone. newPlayer is called for every seat that the bot is given, also
// again for a seat that a crash of the process has interrupted; its calls may
// overlap.
//
// Started by anybody but dudo, Serve says so and exits with status 1.
func Serve(info Info, newPlayer func(SeatInfo) Player) {
	if os.Getenv(proto.GuardKey) != "" {
		os.Exit(guard(os.Stdin))
	}
	if os.Getenv(proto.CookieKey) != proto.CookieValue {
		fmt.Fprintf(os.Stderr, "%s is a bot that dudo starts: name the file dudo-bot-… and put it into dudo's plugins folder\n", info.Name)
		os.Exit(1)
	}
	go exitWith(os.Stdin)
	s := &server{info: info, newPlayer: newPlayer, seats: make(map[string]*seat)}
	s.output = os.Stderr
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion:  proto.Version,
			MagicCookieKey:   proto.CookieKey,
			MagicCookieValue: proto.CookieValue,
		},
		VersionedPlugins: map[int]plugin.PluginSet{proto.Version: {"bot": &service{server: s}}},
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.MaxRecvMsgSize(proto.MaxRequest))...)
		},
		Logger: hclog.NewNullLogger(),
	})
}

// service hangs the server into go-plugin's.
type service struct {
	plugin.NetRPCUnsupportedPlugin
	server *server
}

func (s *service) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	proto.RegisterBotServer(g, s.server)
	return nil
}

// GRPCClient is for hosts, which have a client of their own.
func (s *service) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, fmt.Errorf("package bot is no client")
}
