// Follows the tape without memory: where neither sensor sees it, it drives on straight ahead.
function control({ line }) {
  const error = line.left - line.right;
  return { left: 0.5 - 0.35 * error, right: 0.5 + 0.35 * error };
}
