import { type AnyRouter, useMatch, useRouter } from '@tanstack/react-router'

const trimmed = (pathname: string): string => pathname.replace(/\/+$/, '')

/** Whether the router is on its way from this path to another one. */
const isLeaving = ({ latestLocation }: Pick<AnyRouter, 'latestLocation'>, pathname: string): boolean =>
  trimmed(latestLocation.pathname) !== trimmed(pathname)

/**
 * For screens that write to the address a moment later what is shown: whoever has pressed a link by then, and waits for the
 * next screen to load, would be held back by it.
 */
export function useIsLeaving(): () => boolean {
  const router = useRouter()
  const pathname = useMatch({ strict: false, select: (match) => match.pathname })
  return () => isLeaving(router, pathname)
}

/**
 * The search that this screen has, or will have in a moment: keys come faster than the address is followed, and mean what
 * the keys before them led to.
 *
 * @param now what is shown
 */
export function useSearchAhead<Search>(
  now: Search,
  read: (raw: Readonly<Record<string, unknown>>) => Search,
): () => Search {
  const router = useRouter()
  const pathname = useMatch({ strict: false, select: (match) => match.pathname })
  return () => (isLeaving(router, pathname) ? now : read(router.latestLocation.search))
}
