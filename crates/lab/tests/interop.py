"""Reads an MCAP file with the public Python packages: decodes every message, checks JSON messages
against the schemas in the file, and prints `TOPIC COUNT` lines, by topic.

Needs: mcap, mcap-protobuf-support, jsonschema.
"""

import json
import math
import sys
from collections import Counter

from jsonschema import Draft202012Validator
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory


def quaternion_is_unit(q):
    return abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0) < 1e-5


def check_protobuf(name, message):
    if name == "foxglove.PoseInFrame":
        assert message.frame_id == "map"
        assert quaternion_is_unit(message.pose.orientation)
        assert math.isfinite(message.pose.position.x)
    elif name == "foxglove.FrameTransforms":
        assert message.transforms
        for transform in message.transforms:
            assert transform.parent_frame_id == "map" and transform.child_frame_id
            assert quaternion_is_unit(transform.rotation)
    elif name == "foxglove.LaserScan":
        assert len(message.ranges) >= 1 and message.start_angle <= message.end_angle
        for distance in message.ranges:
            assert math.isnan(distance) or distance > 0.0
    elif name == "foxglove.SceneUpdate":
        assert message.entities and all(entity.id for entity in message.entities)
    elif name == "foxglove.Log":
        assert message.message and message.name and message.level > 0
    else:
        raise AssertionError(f"unexpected schema {name}")


def main(path):
    validators = {}
    counts = Counter()
    last = -1
    with open(path, "rb") as stream:
        reader = make_reader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])
        stated = reader.get_summary().statistics
        for schema, channel, message in reader.iter_messages(log_time_order=False):
            assert message.log_time >= last, f"{channel.topic} goes back in time"
            last = message.log_time
            counts[channel.topic] += 1
            if channel.message_encoding == "json":
                assert schema.encoding == "jsonschema"
                if schema.id not in validators:
                    text = json.loads(schema.data)
                    Draft202012Validator.check_schema(text)
                    validators[schema.id] = Draft202012Validator(text)
                content = json.loads(message.data)
                validators[schema.id].validate(content)
                time = content["timestamp"]
                assert time["sec"] * 10**9 + time["nsec"] == message.log_time
            else:
                assert (channel.message_encoding, schema.encoding) == ("protobuf", "protobuf")
                content = DecoderFactory().decoder_for("protobuf", schema)(message.data)
                check_protobuf(schema.name, content)
        assert sum(counts.values()) == stated.message_count
        names = [record.name for record in reader.iter_metadata()]
        assert names == ["tropism"], names
    for topic in sorted(counts):
        print(topic, counts[topic])


main(sys.argv[1])
