package store

import (
	"fmt"

	"dudo.example/core/record"
)

// room refuses with record.ErrFull if fewer than need bytes are free.
func (s *Store) room(need uint64) error {
	free, err := s.free()
	if err != nil {
		return err
	}
	return s.enough(free, need)
}

func (s *Store) free() (uint64, error) {
	free, err := s.o.Free(s.dir)
	if err != nil {
		return 0, fmt.Errorf("ask how much room %s has: %w", s.dir, err)
	}
	return free, nil
}

func (s *Store) enough(free, need uint64) error {
	if free >= need {
		return nil
	}
	return fmt.Errorf("%w: the disk of %s has %d MiB free, less than the %d MiB that stay free for safety",
		record.ErrFull, s.dir, free>>20, need>>20)
}
