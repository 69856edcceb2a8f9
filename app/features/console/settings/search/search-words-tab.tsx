export function SearchWordsTab() {
  return null;
}
