import type { ReactNode } from 'react'

/** Id of the frame's `<main>`. */
export const MAIN_ID = 'main'

/** A page that may stand inside the frame or alone: a document has one `<main>`, so inside it this is a `<div>`. */
export function MainLandmark({
  className,
  children,
}: {
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return document.getElementById(MAIN_ID) === null ? (
    <main className={className}>{children}</main>
  ) : (
    <div className={className}>{children}</div>
  )
}
