// The commands that the recording on the first screen of README.md shows. A test runs them, too.

export const quickStart: readonly string[] = [
  'keelson serve --nodes=3 2>keelson.log &',
  'export KUBECONFIG=$PWD/keelson-data/admin.kubeconfig',
  'kubectl create deployment web --image=nginx --replicas=3',
  'kubectl rollout status deployment web',
  'kubectl drain node-1 --ignore-daemonsets',
  'kubectl wait pod --all --for=condition=Ready',
  'kubectl get pods --output=wide',
];
