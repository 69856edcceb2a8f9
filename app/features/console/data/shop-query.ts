import { keepPreviousData, skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ArgsOf, Contract, ResultOf } from '#contracts/contract.ts';
import { useRequests } from './requests.ts';

export const queryKeyOf = <C extends Contract>({ name }: C, args: ArgsOf<C> | null) => [name, args] as const;

type Options = {
  /** How long a result counts as fresh: a screen that is opened reads again what is older. Not at all, unless it says so. */
  staleTime?: number;
};

/**
 * The result of a function of the database, checked against its contract. `args` null: not yet. The last result stays while
 * the next one comes (`isPlaceholderData`).
 */
export function useShopQuery<C extends Contract>(
  contract: C,
  args: ArgsOf<C> | null,
  options: Options = {},
): UseQueryResult<ResultOf<C>> {
  const { read } = useRequests();
  return useQuery<ResultOf<C>>({
    ...options,
    queryKey: queryKeyOf(contract, args),
    queryFn: args === null ? skipToken : () => read(contract, args),
    placeholderData: keepPreviousData,
  });
}
