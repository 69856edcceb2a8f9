import { useContext, useInsertionEffect } from 'react';
import type { OwnCategory } from '#domain/catalog/category.ts';
import { categoryRules } from '#domain/catalog/category-colours.ts';
import { useHydrated } from './after-hydration.ts';
import { ScriptMark } from './script-mark.ts';

/**
 * The colours of the categories that the owner added. In the served page they are a style element, which the host allows
 * by its hash; after hydration a constructed stylesheet, because the policy of the first page holds for all that follow
 * and knows no other text.
 */
export function CategoryColours({ categories }: { categories: readonly OwnCategory[] }) {
  const mark = useContext(ScriptMark);
  const hydrated = useHydrated();
  const rules = categoryRules(categories);
  useInsertionEffect(() => {
    if (rules === '') return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [rules]);
  if (hydrated || rules === '') return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: names and colours that cannot end a string or the element
  return <style nonce={mark} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: rules }} />;
}
