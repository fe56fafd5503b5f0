// Package server is the way of these tests to the server that they are run against: its address, and a lever to restart it.
package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Deadline is how long anything that is waited for may take on a slow machine.
const Deadline = 60 * time.Second

// Config reads the kubeconfig that the environment names. The client's own limit of requests a second is off.
func Config(t *testing.T) *rest.Config {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	return config
}

// Namespace makes a namespace for one test and removes it at its end.
func Namespace(t *testing.T, client kubernetes.Interface) string {
	t.Helper()
	made, err := client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.CoreV1().Namespaces().Delete(context.Background(), made.Name, metav1.DeleteOptions{})
	})
	return made.Name
}

// Restart ends the server and returns when it is back: how is "stop", as an operator ends it, or "kill".
func Restart(t *testing.T, how string) {
	t.Helper()
	answer, err := http.Post(os.Getenv("RESTART_URL")+"/"+how, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(answer.Body)
		t.Fatalf("the server was not restarted: %s", said)
	}
}

// Until waits for a condition; an error ends the wait only when time is up.
func Until(t *testing.T, what string, condition func() (bool, error)) {
	t.Helper()
	var last error
	for end := time.Now().Add(Deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		done, err := condition()
		if done && err == nil {
			return
		}
		last = err
	}
	t.Fatal(fmt.Sprintf("waited in vain: %s (last error: %v)", what, last))
}
