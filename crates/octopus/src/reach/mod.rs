//! tmp
use crate::arm::*; use crate::law::*; use crate::vector::Point;
/// tmp
#[derive(Debug)]
pub struct ReachLaw{}
impl ReachLaw { /// tmp
pub fn new(_: &Arm)->Self{Self{}} }
impl ArmLaw for ReachLaw {
 fn reset(&mut self,_:&Arm){} fn reserve(&mut self,_:usize,_:usize){} fn retarget(&mut self){} fn refused(&mut self){}
 fn propose(&mut self,_:&Arm,_:Point,_:&Surroundings<'_>,_:&mut Pose)->Motion{Motion::default()}
 fn finds_unreachable(&self)->bool{false}
}
