import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './PathLink.module.css'

/** A link to an address of the console that the server named. */
export function PathLink({
  path,
  className = styles.link,
  children,
}: {
  /** Below our own origin. */
  readonly path: string
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  const router = useRouter()
  return (
    <a
      href={path}
      className={className}
      onClick={(event) => {
        // With a key, the browser opens a tab or a window.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
        event.preventDefault()
        router.history.push(path)
      }}
    >
      {children}
    </a>
  )
}
