import { useSyncExternalStore } from 'react'

/** The width up to which the console looks as on a phone, as its style sheets have it. */
export const PHONE = '(max-width: 640px)'

/** Whether a media query holds now, for what cannot be said in a style sheet. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
