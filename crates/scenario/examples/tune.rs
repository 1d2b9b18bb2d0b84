use tropism_scenario::octopus::scenes::*;
use tropism_octopus::LawKind;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rows = if args[1] == "gen" { generate(args[2].parse().unwrap(), &[0,1,2,4,8], args[3].parse().unwrap()) }
      else { parse(&std::fs::read(&args[1]).unwrap()).unwrap() };
    let speed: f64 = args.get(4).map_or(1.5, |s| s.parse().unwrap());
    for row in rows {
        let mut n=0; let mut gap=f64::INFINITY; let mut both=vec![]; let mut unr=0; let mut mind=0.0; let mut times=vec![]; let mut refn=0; let mut fails=vec![];
        for (i,s) in row.scenes.iter().enumerate() {
            mind += s.target.norm();
            let r = run(s, &RunSettings{turning_speed: speed, ..Default::default()});
            if r.least_gap < gap { gap = r.least_gap }
            if r.reached.is_some() { n+=1; times.push(r.reached.unwrap()) } else { unr += r.said_unreachable as u32; fails.push(i) }
            let peer = match s.peer_updates { Some(p) => p, None => if args.get(5).is_some() {run(s, &RunSettings{law: LawKind::Reference, checker_parts: 0, turning_speed: speed, ..Default::default()}).reached.map_or(-1,|x|x as i64)} else {-1}};
            if peer>=0 {refn+=1; if let Some(x)=r.reached { both.push((x as i64,peer)) }}
        }
        let med = |mut v: Vec<i64>| { v.sort(); if v.is_empty() {-1} else {v[v.len()/2]} };
        println!("{} obst: {}/{} (ref {}) gap {:.2} med {} ref {} worst {} saidunr {} meandist {:.0} fails {:?}", row.obstacles, n, row.scenes.len(), refn, gap, med(both.iter().map(|b|b.0).collect()), med(both.iter().map(|b|b.1).collect()), times.iter().max().unwrap_or(&0), unr, mind/row.scenes.len() as f64, &fails[..fails.len().min(30)]);
    }
}
