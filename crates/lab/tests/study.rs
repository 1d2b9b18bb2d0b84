//! Rating studies from scenario to report.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop a test")]

use tropism_lab::life::Silent;
use tropism_lab::study::{Key, Plan, Rating, describe, make, read_ratings, report};
use tropism_scenario::{Document, Scenario, built_in_condition, parse};

fn scenario() -> Scenario {
    let text = "kind = \"scenario\"\nname = \"room\"\nworld = \"standard\"\n";
    let Ok(Document::Scenario(scenario)) = parse("room", text, None) else { panic!("a scenario") };
    scenario
}

fn plan(scenario: &Scenario, shuffle: u64) -> Plan {
    let body = &scenario.world.robots[0].plan.body;
    let of = |name: &str| (name.to_owned(), vec![built_in_condition(name, body).unwrap()]);
    Plan {
        title: "room".into(),
        question: "?".into(),
        conditions: vec![of("full"), of("random_walk")],
        seeds: vec![1, 2, 3],
        clip_s: 2.0,
        before_s: 5.0,
        shuffle,
    }
}

#[test]
fn determinism_a_study_follows_from_its_plan_and_hides_its_key() {
    let scenario = scenario();
    let [one, again, other] = [1, 1, 2]
        .map(|shuffle| make(&scenario, &plan(&scenario, shuffle), &Silent).unwrap().unwrap());
    assert_eq!(one, again);
    assert_ne!(one.1, other.1, "another shuffle gives another order");
    let (study, key) = one;
    assert_eq!(study.clips.len(), 6);
    assert!(study.clips.iter().all(|c| c.poses.len() == 40));
    let text = serde_json::to_string(&study).unwrap();
    assert!(!text.contains("random_walk") && !text.contains("full"), "the key is elsewhere");
    let conditions: Vec<&str> = key.iter().map(|k| k.condition.as_str()).collect();
    assert_ne!(conditions, ["full", "full", "full", "random_walk", "random_walk", "random_walk"]);
}

fn rating(rater: &str, clip: &str, rating: f64) -> Rating {
    let (rater, clip) = (rater.to_owned(), clip.to_owned());
    Rating { study: "s".into(), rater, clip, rating, position: 1, seconds: 9.0 }
}

#[test]
fn unit_means_are_over_organisms_and_the_last_answer_counts() {
    let key = |clip: &str, condition: &str, seed| Key {
        clip: clip.into(),
        condition: condition.into(),
        seed,
    };
    let key = [key("a", "full", 1), key("b", "full", 2), key("c", "walk", 1), key("d", "walk", 2)];
    let ratings = [
        rating("ann", "a", 1.0),
        rating("ann", "a", 6.0),
        rating("bob", "a", 4.0),
        rating("ann", "b", 7.0),
        rating("ann", "c", 2.0),
        rating("bob", "c", 2.0),
        rating("ann", "d", 3.0),
        rating("bob", "x", 3.0),
    ];
    let found = report(&key, &ratings, "full").unwrap();
    assert_eq!(found.conditions[0].mean, 6.0, "(mean of 6 and 4, and 7) over two organisms");
    let walk = &found.conditions[1];
    assert_eq!((walk.organisms, walk.ratings, walk.mean), (2, 3, 2.5));
    assert_eq!(walk.against_baseline.as_ref().unwrap().mean, -3.5);
    assert!(found.alpha.is_some());
    let text = describe(&found);
    assert!(text.contains("1 ratings are of clips that the key does not have"), "{text}");
    assert!(text.contains("2 organisms in a condition"), "{text}");
    assert!(report(&key, &ratings, "none").unwrap_err().to_string().contains("none"));
    assert!(report(&key, &ratings[7..], "full").is_err());
}

#[test]
fn edge_damaged_ratings_name_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.csv");
    let head = "study,rater,clip,rating,position,seconds\n";
    for (rows, said) in [
        ("s,ann,a,many,1,2.0\n", "line: 2"),
        ("s,ann,a,NaN,1,2.0\n", "line 2"),
        ("s,ann\n", "line: 2"),
    ] {
        std::fs::write(&path, format!("{head}{rows}")).unwrap();
        let error = read_ratings(&path).unwrap_err().to_string();
        assert!(error.contains("r.csv") && error.contains(said), "{error}");
    }
    std::fs::write(&path, format!("{head}s,\"ann, b\",a,3,1,2.0\n")).unwrap();
    assert_eq!(read_ratings(&path).unwrap()[0].rater, "ann, b");
}
