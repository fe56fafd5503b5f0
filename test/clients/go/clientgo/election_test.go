package clientgo

import (
	"context"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"keelson.test/clients/server"
)

// TestLeaderElection: one of two candidates leads, stays so while the server restarts, and is followed by the other.
func TestLeaderElection(t *testing.T) {
	config := server.Config(t)
	c := kubernetes.NewForConfigOrDie(config)
	ns := server.Namespace(t, c)
	var mutex sync.Mutex
	leading := map[string]bool{}
	lead := func(name string, leads bool) {
		mutex.Lock()
		defer mutex.Unlock()
		leading[name] = leads
		if leading["one"] && leading["two"] {
			t.Error("two lead at once")
		}
	}
	leads := func(name string) func() (bool, error) {
		return func() (bool, error) {
			mutex.Lock()
			defer mutex.Unlock()
			return leading[name], nil
		}
	}
	candidate := func(ctx context.Context, name string) <-chan struct{} {
		lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, ns, "leader",
			resourcelock.ResourceLockConfig{Identity: name}, config, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
				Lock: lock, ReleaseOnCancel: true,
				// Long enough for a restart on a slow machine.
				LeaseDuration: 20 * time.Second, RenewDeadline: 15 * time.Second, RetryPeriod: time.Second,
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(context.Context) { lead(name, true) },
					OnStoppedLeading: func() { lead(name, false) },
				},
			})
		}()
		return done
	}
	first, resign := context.WithCancel(t.Context())
	one := candidate(first, "one")
	server.Until(t, "one leads", leads("one"))
	two := candidate(t.Context(), "two")
	server.Restart(t, "kill")
	restarted := time.Now()
	// Right after a renewal: one that is under way when the leader resigns keeps it from releasing the lease.
	server.Until(t, "the lease is renewed", func() (bool, error) {
		lease, err := c.CoordinationV1().Leases(ns).Get(t.Context(), "leader", metav1.GetOptions{})
		return err == nil && *lease.Spec.HolderIdentity == "one" && lease.Spec.RenewTime.After(restarted), err
	})
	if still, _ := leads("one")(); !still {
		t.Error("a restart of the server ended the leadership")
	}
	resign()
	<-one
	server.Until(t, "two follows", leads("two"))
	t.Cleanup(func() { <-two })
}
