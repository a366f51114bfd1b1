import { cx } from '../lib/cx.ts'
import styles from './MailPage.module.css'

/** A mail as its readers see it, in a page in which nothing runs and for which nothing is fetched. */
export function MailPage({
  html,
  title,
  className,
}: {
  readonly html: string
  readonly title: string
  readonly className?: string | undefined
}) {
  return (
    <iframe
      key={html}
      title={title}
      sandbox="allow-same-origin"
      src="/still/"
      className={cx(styles.page, className)}
      onLoad={({ currentTarget }) => {
        // Read by that page, whose styles may stand in it; scripts that come so never run.
        const page = currentTarget.contentDocument?.documentElement
        if (page !== undefined) page.innerHTML = html
      }}
    />
  )
}
