//! The life state in a compact, checked binary form.
//!
//! Layout: magic (4 bytes), generation, length of the body, CRC-32 over generation, length and
//! body (each 4 bytes, little-endian), then the body in `postcard` encoding. The body holds what
//! the document holds, with codes and signatures in the order of the channel lists.
//!
//! What it does not do: no compression, no protection against an adversary.
//!
//! # Source
//! CRC-32 of IEEE 802.3, reflected, polynomial 0xEDB88320.

use core::fmt;
use core::marker::PhantomData;

use postcard::ser_flavors::{Flavor, Slice};
use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize as DeriveSerialize};
use tropism_core::{Name, Seed, Tick, TimeStep};
use tropism_organism::contingency::{Entry, SLOTS as ENTRIES};
use tropism_organism::reflex::{CONTEXTS, Connection, Reflex};
use tropism_organism::spatial::{Place, SLOTS as PLACES};
use tropism_organism::{NEEDS, Organism, OrganismState};

use crate::check;
use crate::error::{LifeStateError, Reason};
use crate::life::{LifeState, Parts, Streams};

const MAGIC: [u8; 4] = *b"TLS2";
/// Bytes before the body.
pub const HEADER_BYTES: usize = 16;

/// A buffer of this size holds the blob of any organism.
///
/// All names, 256 entries of at most 23 bytes, 32 places of 38, 2 · 1904 weights and traces.
pub const BYTES_MAX: usize = 26 * 1024;

#[derive(DeriveSerialize, Deserialize)]
struct Header<'a> {
    body: &'a str,
    fingerprint: u32,
    step: (u32, u32),
    age: u64,
    seed: u64,
    robot: u32,
}

#[derive(DeriveSerialize, Deserialize)]
struct Needs {
    values: [f32; NEEDS],
    drives: [f32; NEEDS],
    distance: f32,
    fuzz: f32,
    activity: f32,
    spike: f32,
    usual_activity: f32,
    has_previous: u16,
    senses_valid: u16,
    previous_drives: [f32; NEEDS],
    has_previous_drives: bool,
    here: u32,
    constant_input: f32,
}

#[derive(DeriveSerialize, Deserialize)]
struct Moment {
    surprise: f32,
    latest: (u32, u32),
    latest_slot: Option<u8>,
    latest_relief: f32,
    previous_valid: u16,
    previous_distance: f32,
    has_previous: bool,
}

#[derive(DeriveSerialize, Deserialize)]
struct Reward {
    gates: [f32; CONTEXTS],
    mean: f32,
    variance: f32,
    advantage: f32,
    previous_distance: f32,
    has_previous: bool,
}

/// previous, velocity, jitter, habituation, level, mean, input, previous level.
type SensorRow = [f32; 8];
type EntryRow = (u8, u32, u32, u8, f32, f32, u16);
type PlaceRow = (u8, u32, u32, u16, [f32; NEEDS]);

/// Items of an iterator as a sequence of stated length.
struct Seq<I>(I, usize);

impl<I> Serialize for Seq<I>
where
    I: Iterator + Clone,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut seq = s.serialize_seq(Some(self.1))?;
        for item in self.0.clone() {
            seq.serialize_element(&item)?;
        }
        seq.end()
    }
}

struct NameText(Name);

impl Serialize for NameText {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.0.as_str())
    }
}

/// Takes the items of a sequence one by one; an item it cannot take ends the reading.
struct Fill<F, T>(F, PhantomData<T>);

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Option<()>> Fill<F, T> {
    fn from(d: &mut Reader<'de>, take: F) -> Result<(), postcard::Error> {
        Self(take, PhantomData).deserialize(d)
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Option<()>> DeserializeSeed<'de> for Fill<F, T> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Option<()>> Visitor<'de> for Fill<F, T> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list that fits")
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(item) = seq.next_element::<T>()? {
            (self.0)(item).ok_or_else(|| A::Error::custom("does not fit"))?;
        }
        Ok(())
    }
}

type Reader<'de> = postcard::Deserializer<'de, postcard::de_flavors::Slice<'de>>;
type Writer<'b> = postcard::Serializer<Slice<'b>>;

fn sensor_row(s: &OrganismState, i: usize) -> SensorRow {
    let p = &s.physiology;
    [
        p.previous[i],
        p.velocity[i],
        p.jitter[i],
        p.habituation[i],
        s.senses.levels[i],
        s.reflex.means[i],
        s.reflex.x[i],
        s.contingency.previous_levels[i],
    ]
}

fn take_sensor_row(s: &mut OrganismState, i: usize, row: SensorRow) {
    let p = &mut s.physiology;
    [p.previous[i], p.velocity[i], p.jitter[i], p.habituation[i], ..] = row;
    [_, _, _, _, s.senses.levels[i], s.reflex.means[i], s.reflex.x[i], _] = row;
    s.contingency.previous_levels[i] = row[7];
}

/// All connections in order.
fn indices(r: &Reflex) -> impl Iterator<Item = [usize; 3]> + Clone + use<> {
    let (inputs, outputs) = (r.inputs(), r.outputs());
    (0..CONTEXTS * inputs * outputs)
        .map(move |n| [n / (inputs * outputs), n / outputs % inputs, n % outputs])
}

fn header(organism: &Organism) -> Header<'_> {
    let (step, body) = (organism.time_step(), organism.body());
    Header {
        body: body.name.as_str(),
        fingerprint: body.fingerprint(),
        step: (step.numerator(), step.denominator()),
        age: organism.state().age.0,
        seed: organism.seed().0,
        robot: organism.robot(),
    }
}

fn write_body(organism: &Organism, w: &mut Writer<'_>) -> Result<(), postcard::Error> {
    let (state, body) = (organism.state(), organism.body());
    let (p, c, s, r) = (&state.physiology, &state.contingency, &state.spatial, &state.reflex);
    let (sensors, actuators) = (body.sensors.len(), body.actuators.len());
    header(organism).serialize(&mut *w)?;
    Seq(body.actuators.iter().map(|a| NameText(a.name)), actuators).serialize(&mut *w)?;
    Seq(body.sensors.iter().map(|s| NameText(s.name)), sensors).serialize(&mut *w)?;
    let needs = Needs {
        values: p.values,
        drives: p.drives,
        distance: p.distance,
        fuzz: p.fuzz,
        activity: p.activity,
        spike: p.spike,
        usual_activity: p.activity_average,
        has_previous: p.has_previous,
        senses_valid: state.senses.valid,
        previous_drives: s.previous_drives,
        has_previous_drives: s.has_previous,
        here: s.here,
        constant_input: r.x[sensors],
    };
    needs.serialize(&mut *w)?;
    Seq((0..sensors).map(|i| sensor_row(state, i)), sensors).serialize(&mut *w)?;
    let row = |j: usize| [c.previous_actuators[j], state.noise[j]];
    Seq((0..actuators).map(row), actuators).serialize(&mut *w)?;
    let moment = Moment {
        surprise: c.surprise,
        latest: c.latest,
        latest_slot: c.latest_slot,
        latest_relief: c.latest_relief,
        previous_valid: c.previous_valid,
        previous_distance: c.previous_distance,
        has_previous: c.has_previous,
    };
    moment.serialize(&mut *w)?;
    let entries = (0..ENTRIES).filter_map(|slot| {
        let e = c.entry(slot)?;
        let row: EntryRow =
            (slot as u8, e.action, e.sensors, e.context, e.strength, e.relief, e.age_ticks);
        Some(row)
    });
    Seq(entries, c.count()).serialize(&mut *w)?;
    let places = (0..PLACES).filter_map(|slot| {
        let p = s.place(slot)?;
        let row: PlaceRow = (slot as u8, p.signature, p.visits, p.age_ticks, p.improvement);
        Some(row)
    });
    Seq(places, s.count()).serialize(&mut *w)?;
    let reward = Reward {
        gates: r.gates,
        mean: r.reward_mean,
        variance: r.reward_variance,
        advantage: r.advantage,
        previous_distance: r.previous_distance,
        has_previous: r.has_previous,
    };
    reward.serialize(&mut *w)?;
    let cells = CONTEXTS * (sensors + 1) * actuators;
    Seq(indices(r).map(|[k, i, j]| r.weight(k, i, j)), cells).serialize(&mut *w)?;
    Seq(indices(r).map(|[k, i, j]| r.trace(k, i, j)), cells).serialize(&mut *w)
}

fn read_body(life: &mut LifeState, d: &mut Reader<'_>) -> Result<(), postcard::Error> {
    let refused = || postcard::Error::SerdeDeCustom;
    let h = Header::deserialize(&mut *d)?;
    life.body = Name::new(h.body).map_err(|_reason| refused())?;
    life.fingerprint = h.fingerprint;
    life.step = TimeStep::new(h.step.0, h.step.1).map_err(|_reason| refused())?;
    life.streams = Some(Streams { seed: Seed(h.seed), robot: h.robot });
    Fill::from(d, |n: &str| life.actuators.push(Name::new(n).ok()?).ok())?;
    Fill::from(d, |n: &str| life.sensors.push(Name::new(n).ok()?).ok())?;
    life.size_to_channels();
    life.state.age = Tick(h.age);
    let (sensors, actuators) = (life.sensors.len(), life.actuators.len());
    let state = &mut life.state;
    take_needs(state, &Needs::deserialize(&mut *d)?, sensors);
    let mut i = 0;
    Fill::from(d, |row: SensorRow| {
        (i < sensors).then(|| take_sensor_row(state, i, row))?;
        i += 1;
        Some(())
    })?;
    let mut j = 0;
    Fill::from(d, |[felt, noise]: [f32; 2]| {
        (j < actuators).then_some(())?;
        (state.contingency.previous_actuators[j], state.noise[j]) = (felt, noise);
        j += 1;
        Some(())
    })?;
    if (i, j) != (sensors, actuators) {
        return Err(refused());
    }
    read_memories(state, d)?;
    read_reflexes(&mut state.reflex, d)
}

fn take_needs(state: &mut OrganismState, n: &Needs, sensors: usize) {
    let p = &mut state.physiology;
    (p.values, p.drives, p.distance, p.fuzz) = (n.values, n.drives, n.distance, n.fuzz);
    (p.activity, p.spike, p.activity_average) = (n.activity, n.spike, n.usual_activity);
    p.has_previous = n.has_previous;
    state.senses.valid = n.senses_valid;
    state.spatial.previous_drives = n.previous_drives;
    state.spatial.has_previous = n.has_previous_drives;
    state.spatial.here = n.here;
    state.reflex.x[sensors] = n.constant_input;
}

fn read_memories(state: &mut OrganismState, d: &mut Reader<'_>) -> Result<(), postcard::Error> {
    let m = Moment::deserialize(&mut *d)?;
    let c = &mut state.contingency;
    (c.surprise, c.latest, c.latest_slot) = (m.surprise, m.latest, m.latest_slot);
    (c.latest_relief, c.previous_valid) = (m.latest_relief, m.previous_valid);
    (c.previous_distance, c.has_previous) = (m.previous_distance, m.has_previous);
    Fill::from(d, |(slot, action, sensors, context, strength, relief, age_ticks): EntryRow| {
        let slot = usize::from(slot);
        (!c.is_occupied(slot)).then_some(())?;
        c.put_at(slot, Entry { action, sensors, context, strength, relief, age_ticks });
        Some(())
    })?;
    let s = &mut state.spatial;
    Fill::from(d, |(slot, signature, visits, age_ticks, improvement): PlaceRow| {
        let slot = usize::from(slot);
        (slot < PLACES && !s.is_occupied(slot)).then_some(())?;
        s.put_at(slot, Place { signature, visits, age_ticks, improvement });
        Some(())
    })
}

fn read_reflexes(r: &mut Reflex, d: &mut Reader<'_>) -> Result<(), postcard::Error> {
    let reward = Reward::deserialize(&mut *d)?;
    r.gates = reward.gates;
    (r.reward_mean, r.reward_variance) = (reward.mean, reward.variance);
    r.advantage = reward.advantage;
    (r.previous_distance, r.has_previous) = (reward.previous_distance, reward.has_previous);
    let at = |[k, i, j]: [usize; 3], weight| Connection {
        context: k as u8,
        input: i as u8,
        output: j as u8,
        weight,
    };
    let mut places = indices(r);
    Fill::from(d, |weight: f32| places.next().map(|place| r.set_weight(at(place, weight))))?;
    let mut traces = indices(r);
    Fill::from(d, |trace: f32| traces.next().map(|place| r.set_trace(at(place, trace))))?;
    if places.next().is_some() || traces.next().is_some() {
        return Err(postcard::Error::SerdeDeCustom);
    }
    Ok(())
}

/// CRC-32 of several pieces in a row.
pub(crate) fn crc32(pieces: &[&[u8]]) -> u32 {
    let mut crc = u32::MAX;
    for byte in pieces.iter().flat_map(|piece| piece.iter()) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

/// Writes the life state of an organism into a buffer; returns the number of bytes used.
///
/// # Errors
/// [`Reason::BufferTooSmall`]; [`BYTES_MAX`] always suffices.
pub fn write_blob(
    organism: &Organism,
    generation: u32,
    buffer: &mut [u8],
) -> Result<usize, LifeStateError> {
    let bytes = buffer.len();
    let too_small = LifeStateError::whole(Reason::BufferTooSmall(bytes));
    let (head, body) = buffer.split_at_mut_checked(HEADER_BYTES).ok_or(too_small)?;
    let mut writer = postcard::Serializer { output: Slice::new(body) };
    let written = write_body(organism, &mut writer).and_then(|()| writer.output.finalize());
    let body = written.map_err(|_full| too_small)?;
    let length = body.len() as u32;
    let (generation, size) = (generation.to_le_bytes(), length.to_le_bytes());
    head[..4].copy_from_slice(&MAGIC);
    head[4..8].copy_from_slice(&generation);
    head[8..12].copy_from_slice(&size);
    head[12..].copy_from_slice(&crc32(&[&generation, &size, body]).to_le_bytes());
    Ok(HEADER_BYTES + length as usize)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

/// The body of a whole blob, and its generation.
fn open(bytes: &[u8]) -> Result<(&[u8], u32), Reason> {
    let head = bytes.get(..HEADER_BYTES).ok_or(Reason::NotABlob)?;
    if head[..4] != MAGIC {
        return Err(Reason::NotABlob);
    }
    let number = |at| word(head, at).ok_or(Reason::NotABlob);
    let (generation, length, crc) = (number(4)?, number(8)? as usize, number(12)?);
    let body = &bytes[HEADER_BYTES..];
    let body = body.get(..length).ok_or(Reason::Truncated)?;
    if crc32(&[&head[4..12], body]) == crc { Ok((body, generation)) } else { Err(Reason::Checksum) }
}

/// Generation of a whole blob; `None` for anything else. Bytes after its end are ignored.
pub fn generation(bytes: &[u8]) -> Option<u32> {
    open(bytes).ok().map(|(_, generation)| generation)
}

/// Reads a blob. Bytes after its end are ignored, as in a flash region larger than it.
///
/// # Errors
/// [`LifeStateError`] when it is no blob, damaged, or holds a number out of bounds.
pub fn read_blob(bytes: &[u8]) -> Result<LifeState, LifeStateError> {
    let mut life = LifeState::blank();
    read_blob_into(bytes, &mut life)?;
    Ok(life)
}

/// The same into a life state that is there already, as in the static memory of a board. After an
/// error it holds nothing.
///
/// # Errors
/// As [`read_blob`].
pub fn read_blob_into(bytes: &[u8], life: &mut LifeState) -> Result<(), LifeStateError> {
    life.empty();
    let (body, _) = open(bytes).map_err(LifeStateError::whole)?;
    let mut reader = postcard::Deserializer::from_bytes(body);
    read_body(life, &mut reader).map_err(|_reason| LifeStateError::whole(Reason::NotABlob))?;
    if life.fingerprint != life.listed_fingerprint() {
        return Err(LifeStateError::whole(Reason::Fingerprint));
    }
    if reader.finalize().is_ok_and(|rest| !rest.is_empty()) {
        return Err(LifeStateError::whole(Reason::TrailingText));
    }
    check::check(life)?;
    life.parts = Parts::ALL;
    Ok(())
}
