import styles from './Spinner.module.css'

/** A turning ring for waits of unknown length. Give `label` when it stands alone. */
export function Spinner({ size = 16, label }: { readonly size?: number; readonly label?: string }) {
  return (
    <span className={styles.spinner} role={label === undefined ? undefined : 'status'}>
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" strokeWidth={2} aria-hidden="true">
        <circle cx="8" cy="8" r="6" stroke="currentColor" opacity={0.25} />
        <path d="M14 8a6 6 0 0 0-6-6" stroke="currentColor" strokeLinecap="round" />
      </svg>
      {label === undefined ? null : <span className={styles.label}>{label}</span>}
    </span>
  )
}
