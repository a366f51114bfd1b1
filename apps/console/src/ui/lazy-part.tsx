import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

const AGAIN_AFTER_MS = 3000

const parts: (() => Promise<unknown>)[] = []

/** Fetches the code of all lazy parts that are known by now: later they open at once, also while the server is away. */
export function warmParts(): void {
  for (const fetchPart of parts) void fetchPart()
}

/**
 * A part of a page whose code comes later. Unlike `React.lazy` a failure is not for ever and takes no page with it: the
 * fallback stays, and the code is asked for again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props & { readonly fallback?: ReactNode }> {
  let known: ComponentType<Props> | null = null
  let pending: Promise<ComponentType<Props> | null> | undefined
  const fetchPart = (): Promise<ComponentType<Props> | null> => {
    pending ??= load().then(
      (part) => (known = part),
      () => {
        pending = undefined
        return null
      },
    )
    return pending
  }
  parts.push(fetchPart)
  return function LazyPart({ fallback = null, ...props }) {
    const [Part, setPart] = useState(() => known)
    useEffect(() => {
      if (Part !== null) return undefined
      let isGone = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const attempt = async (): Promise<void> => {
        const part = await fetchPart()
        if (isGone) return
        if (part === null) timer = setTimeout(() => void attempt(), AGAIN_AFTER_MS)
        else setPart(() => part)
      }
      void attempt()
      return () => {
        isGone = true
        clearTimeout(timer)
      }
    }, [Part])
    return Part === null ? fallback : <Part {...(props as unknown as Props)} />
  }
}
