import { lab } from "../lab";

export default function View() {
  return <pre>{JSON.stringify(lab.frame.value, null, 1).slice(0, 2000)}</pre>;
}
