import { Icon } from '#app/ui/icon.tsx';

export const HomeIcon = () => (
  <Icon>
    <path d="M4 11.500 12 4l8 7.500M6 10v9.500h12V10M10 19.500V14h4v5.500" />
  </Icon>
);

export const ShopIcon = () => (
  <Icon>
    <path d="M4 9.500 5.500 4h13L20 9.500M5.500 12v8h13v-8M4 9.500a2.700 2.700 0 0 0 5.330 0 2.700 2.700 0 0 0 5.340 0 2.700 2.700 0 0 0 5.330 0M10 20v-5h4v5" />
  </Icon>
);

export const CartIcon = () => (
  <Icon>
    <path d="M5 8.500h14l-1.200 11.500H6.200ZM8.500 8.500V7a3.500 3.500 0 0 1 7 0v1.500" />
  </Icon>
);

export const ConsoleIcon = () => (
  <Icon>
    <path d="M4.500 4.500h6v6h-6ZM13.500 4.500h6v9h-6ZM4.500 13.500h6v6h-6ZM13.500 16.500h6v3h-6Z" />
  </Icon>
);

export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.500" />
    <path d="m16 16 4 4" />
  </Icon>
);

export const searchFieldId = 'search-field';
