import { Icon } from '#app/ui/icon.tsx';

export const ExpandIcon = () => (
  <Icon>
    <path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7" />
  </Icon>
);

export const BellIcon = () => (
  <Icon>
    <path d="M6.500 16.500V11a5.500 5.500 0 0 1 11 0v5.500l1.500 2h-14ZM10 20.500a2 2 0 0 0 4 0" />
  </Icon>
);
