package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// encodePods reads frames of a watch of Pods in JSON, one per line, and writes the same frames in protobuf, with their lengths.
func encodePods(from io.Reader, to io.Writer) {
	scheme := runtime.NewScheme()
	must(corev1.AddToScheme(scheme))
	serializer := protobuf.NewSerializer(scheme, scheme)
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	out := bufio.NewWriter(to)
	for lines.Scan() {
		var event struct {
			Type   string
			Object *corev1.Pod
		}
		must(json.Unmarshal(lines.Bytes(), &event))
		var object bytes.Buffer
		must(serializer.Encode(event.Object, &object))
		frame, err := (&metav1.WatchEvent{Type: event.Type, Object: runtime.RawExtension{Raw: object.Bytes()}}).Marshal()
		must(err)
		must(binary.Write(out, binary.BigEndian, uint32(len(frame))))
		_, err = out.Write(frame)
		must(err)
	}
	must(lines.Err())
	must(out.Flush())
}
