/** The shop's look as far as mail programs can show it: the colours of app/ui/tokens.css, and typefaces everybody has. */
export const colours = {
  paper: '#fbf5ea',
  card: '#fffdf8',
  ink: '#33201a',
  soft: '#6f5a4e',
  line: '#e6d8c4',
  saffron: '#e8892b',
  marigold: '#f2b233',
  rani: '#a81f5c',
  dark: { paper: '#1d1512', card: '#2b1f1a', ink: '#f6eadb', soft: '#c3ad9c', line: '#443229' },
} as const;

// Single quotes: these stand inside style="…".
export const fonts = {
  display: "Georgia,'Noto Serif Devanagari','Times New Roman',serif",
  text: "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans Devanagari',Arial,sans-serif",
} as const;
