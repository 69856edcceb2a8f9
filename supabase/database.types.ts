export type Database = { public: { Functions: Record<string, { Args: Record<string, unknown>; Returns: any }>; Tables: any; Views: any; Enums: any; CompositeTypes: any } };
