import { type ComponentType, lazy, memo, Suspense } from 'react';

/**
 * A part below the first screen. The server renders it with the page; its code is loaded after that of the first screen, and
 * React leaves the markup alone until then. Its stylesheets are named where it is used, which makes them part of the page.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  _styles: readonly Record<string, string>[],
) {
  // In the browser the page goes on without a part whose code cannot be loaded.
  const Part = lazy<ComponentType<Props>>(
    import.meta.env.SSR ? load : () => load().catch(() => ({ default: () => null })),
  );
  // Markup that is not hydrated yet would be dropped for new props; memo keeps the same ones away from it.
  return memo((props: Props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  ));
}
