import { useTodo } from '../data/todo.ts';
import { shortCount, waitingIn } from '../data/todo-counts.ts';
import styles from './todo-count.module.css';

/** Beside the name of an area in a menu. */
export function TodoCount({ area }: { area: string }) {
  const { data: todo } = useTodo();
  const waiting = todo ? waitingIn(area, todo) : null;
  if (!waiting) return null;
  return (
    <b className={styles.count}>
      <span className="visually-hidden">, </span>
      {shortCount(waiting.count)}
      <span className="visually-hidden"> {waiting.words}</span>
    </b>
  );
}
