package bot

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"dudo.example/plugins/proto"
)

// server answers dudo's calls with the players of the bot.
type server struct {
	proto.UnimplementedBotServer
	info      Info
	newPlayer func(SeatInfo) Player
	output    *os.File
	quiet     sync.Once

	mu    sync.Mutex
	seats map[string]*seat
}

// seat is a player with what it takes to call it one call at a time: whoever
// holds the token may.
type seat struct {
	token  chan struct{}
	player Player
	info   SeatInfo
}

// Describe also ends go-plugin's redirection of the standard output, which
// nobody reads here: from now on whatever the bot prints is standard error.
func (s *server) Describe(context.Context, *proto.DescribeRequest) (*proto.DescribeResponse, error) {
	s.quiet.Do(func() { os.Stdout, os.Stderr = s.output, s.output })
	return &proto.DescribeResponse{
		Protocol: proto.Version,
		Name:     s.info.Name,
		Version:  s.info.Version,
		Games:    s.info.Games,
	}, nil
}

func (s *server) OpenSeat(_ context.Context, r *proto.OpenSeatRequest) (_ *proto.OpenSeatResponse, err error) {
	defer recovered(&err)
	info := SeatInfo{
		GID:         r.GetGid(),
		Game:        r.GetRules().GetGame(),
		RulesSHA256: r.GetRules().GetSha256(),
		RulesText:   r.GetRules().GetText(),
		Options:     r.GetOptions(),
		Actions:     make(map[string][]string, len(r.GetActions())),
		Seats:       int(r.GetSeats()),
		Seat:        int(r.GetSeat()),
		Name:        r.GetName(),
	}
	for action, params := range r.GetActions() {
		info.Actions[action] = params.GetNames()
	}
	player := s.newPlayer(info)
	if player == nil {
		return nil, status.Error(codes.FailedPrecondition, "the bot does not want this seat")
	}
	opened := &seat{token: make(chan struct{}, 1), player: player, info: info}
	s.mu.Lock()
	old := s.seats[r.GetHandle()]
	s.seats[r.GetHandle()] = opened
	s.mu.Unlock()
	if old != nil {
		go old.close()
	}
	_, observes := player.(Observer)
	return &proto.OpenSeatResponse{Observes: observes}, nil
}

func (s *server) Decide(ctx context.Context, r *proto.DecideRequest) (_ *proto.DecideResponse, err error) {
	defer recovered(&err)
	seat, view, err := s.call(r.GetHandle(), r.GetView())
	if err != nil {
		return nil, err
	}
	if err := seat.enter(ctx); err != nil {
		return nil, err
	}
	defer seat.leave()
	move, err := seat.player.Decide(ctx, view)
	if err != nil {
		return nil, status.Error(codes.Unknown, err.Error())
	}
	return &proto.DecideResponse{Action: move.Action, Args: move.Args, Say: move.Say}, nil
}

func (s *server) Observe(ctx context.Context, r *proto.ObserveRequest) (_ *proto.ObserveResponse, err error) {
	defer recovered(&err)
	seat, view, err := s.call(r.GetHandle(), r.GetView())
	if err != nil {
		return nil, err
	}
	observer, ok := seat.player.(Observer)
	if !ok {
		return &proto.ObserveResponse{}, nil
	}
	if err := seat.enter(ctx); err != nil {
		return nil, err
	}
	defer seat.leave()
	observer.Observe(view)
	return &proto.ObserveResponse{}, nil
}

func (s *server) CloseSeat(_ context.Context, r *proto.CloseSeatRequest) (*proto.CloseSeatResponse, error) {
	s.mu.Lock()
	seat := s.seats[r.GetHandle()]
	delete(s.seats, r.GetHandle())
	s.mu.Unlock()
	if seat != nil {
		go seat.close()
	}
	return &proto.CloseSeatResponse{}, nil
}

// call finds the seat of a handle and reads the view for it.
func (s *server) call(handle string, data []byte) (*seat, View, error) {
	s.mu.Lock()
	seat := s.seats[handle]
	s.mu.Unlock()
	if seat == nil {
		return nil, View{}, status.Error(codes.NotFound, "no such seat")
	}
	view, err := ParseView(data)
	if err != nil {
		return nil, View{}, status.Error(codes.InvalidArgument, err.Error())
	}
	return seat, view.WithActions(seat.info.Actions), nil
}

// enter waits until no other call is in the player.
func (s *seat) enter(ctx context.Context) error {
	select {
	case s.token <- struct{}{}:
		return nil
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}

func (s *seat) leave() { <-s.token }

// close closes the player once no call is in it.
func (s *seat) close() {
	closer, ok := s.player.(io.Closer)
	if !ok {
		return
	}
	s.token <- struct{}{}
	defer s.leave()
	var err error
	defer recovered(&err)
	err = closer.Close()
}

// recovered makes an error of a panic and leaves its trace in the log.
func recovered(err *error) {
	if p := recover(); p != nil {
		fmt.Fprintf(os.Stderr, "panic: %v\n%s", p, debug.Stack())
		*err = status.Error(codes.Aborted, fmt.Sprintf("panic: %.200v", p))
	}
}
