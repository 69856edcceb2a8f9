import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { CategoryColours } from '#app/ui/category-colours.tsx';
import { type Category, fixedCategories, type OwnCategory } from '#domain/catalog/category.ts';
import { categoryRules } from '#domain/catalog/category-colours.ts';

type Categories = {
  /** The five, then the owner's in their order. */
  names: readonly Category[];
  /** The list was read again. */
  setOwn(own: readonly OwnCategory[]): void;
};

const Context = createContext<Categories>({ names: fixedCategories, setOwn: () => {} });

/** Known to every screen of the console from the start: they come with the page. */
export function CategoriesProvider({ first, children }: { first: readonly OwnCategory[]; children: ReactNode }) {
  const [own, setOwn] = useState(first);
  const value = useMemo(() => ({ names: [...fixedCategories, ...own.map(({ name }) => name)], setOwn }), [own]);
  return (
    <Context value={value}>
      <CategoryColours rules={categoryRules(own)} />
      {children}
    </Context>
  );
}

export const useCategories = () => useContext(Context);

/** For a list to choose from: a category that is chosen already is in it, though it was added after the page came. */
export function categoryOptions(names: readonly Category[], chosen: string): (readonly [string, string])[] {
  const known = chosen === '' || names.includes(chosen) ? names : [...names, chosen];
  return known.map((name) => [name, name] as const);
}
