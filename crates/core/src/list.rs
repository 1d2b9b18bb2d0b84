//! A list with a capacity fixed at compile time.

/// Up to `N` items in a fixed array.
///
/// # Example
/// ```
/// use tropism_core::FixedList;
/// let mut list = FixedList::<u8, 2>::new();
/// assert_eq!(list.push(7), Ok(()));
/// assert_eq!(list.push(8), Ok(()));
/// assert_eq!(list.push(9), Err(9));
/// assert_eq!(&list[..], &[7, 8]);
/// ```
#[derive(Clone, Copy)]
pub struct FixedList<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy + Default, const N: usize> FixedList<T, N> {
    /// An empty list.
    pub fn new() -> Self {
        Self { items: [T::default(); N], len: 0 }
    }

    /// A list of these items; what does not fit is cut off.
    pub fn from_slice(items: &[T]) -> Self {
        let mut list = Self::new();
        for item in items {
            if list.push(*item).is_err() {
                break;
            }
        }
        list
    }
}

impl<T: Copy, const N: usize> FixedList<T, N> {
    /// Appends an item.
    ///
    /// # Errors
    /// Gives the item back when the list is full.
    pub const fn push(&mut self, item: T) -> Result<(), T> {
        if self.len == N {
            return Err(item);
        }
        self.items[self.len] = item;
        self.len += 1;
        Ok(())
    }

    /// Takes the last item.
    pub const fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        Some(self.items[self.len])
    }

    /// Takes these items instead of those it has; a count beyond the capacity is cut off.
    #[inline]
    pub fn refill(&mut self, count: usize, mut item: impl FnMut(usize) -> T) {
        self.len = if count < N { count } else { N };
        for (i, place) in self.items[..self.len].iter_mut().enumerate() {
            *place = item(i);
        }
    }

    /// As [`Self::refill`] for items that cost nothing to make: all places are written, those
    /// beyond the count too, since a loop of fixed length needs no branches.
    #[inline]
    pub fn refill_all(&mut self, count: usize, mut item: impl FnMut(usize) -> T) {
        self.len = if count < N { count } else { N };
        for (i, place) in self.items.iter_mut().enumerate() {
            *place = item(i);
        }
    }

    /// Removes all items.
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// True when nothing more fits.
    pub const fn is_full(&self) -> bool {
        self.len == N
    }
}

impl<T: Copy + Default, const N: usize> Default for FixedList<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> core::ops::Deref for FixedList<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl<T, const N: usize> core::ops::DerefMut for FixedList<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len]
    }
}

impl<T: core::fmt::Debug, const N: usize> core::fmt::Debug for FixedList<T, N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for FixedList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq, const N: usize> Eq for FixedList<T, N> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_list_fills_empties_and_compares_by_its_items() {
        let mut list = FixedList::<u8, 3>::from_slice(&[1, 2, 3, 4]);
        assert!(list.is_full());
        assert_eq!(list.pop(), Some(3));
        assert_eq!(list, FixedList::from_slice(&[1, 2]));
        list.clear();
        assert_eq!(list.pop(), None);
        list.refill(9, |i| i as u8);
        assert_eq!(&list[..], &[0, 1, 2]);
        list.refill_all(2, |i| i as u8 + 5);
        assert_eq!(&list[..], &[5, 6]);
    }
}
