import { useContext, useInsertionEffect } from 'react';
import { useHydrated } from './after-hydration.ts';
import { DocumentContext } from './document.ts';

/**
 * The colours of the categories that the owner added, as CSS. In the served page they are a style element, which the host allows
 * by its hash; after hydration a constructed stylesheet, because the policy of the first page holds for all that follow
 * and knows no other text.
 */
export function CategoryColours({ rules }: { rules: string }) {
  const { nonce } = useContext(DocumentContext);
  const hydrated = useHydrated();
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
  return <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: rules }} />;
}
