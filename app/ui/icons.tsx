import type { ReactNode } from 'react';

/** Line icons in one hand; always beside a text or an accessible name. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

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

export const CloseIcon = () => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);

export const ExpandIcon = () => (
  <Icon>
    <path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7" />
  </Icon>
);

export const FilterIcon = () => (
  <Icon>
    <path d="M4 7h10M18 7h2M4 17h2M10 17h10" />
    <circle cx="16" cy="7" r="2" />
    <circle cx="8" cy="17" r="2" />
  </Icon>
);

export const BellIcon = () => (
  <Icon>
    <path d="M6.500 16.500V11a5.500 5.500 0 0 1 11 0v5.500l1.500 2h-14ZM10 20.500a2 2 0 0 0 4 0" />
  </Icon>
);

export const MailIcon = () => (
  <Icon>
    <path d="M4 6.500h16v11.500H4ZM4.500 7l7.500 6 7.500-6" />
  </Icon>
);

export const ChatIcon = () => (
  <Icon>
    <path d="M4 19.500 5.500 15A7.800 7.800 0 1 1 9 18.500ZM9 11.500h6M9 14h3.500" />
  </Icon>
);
