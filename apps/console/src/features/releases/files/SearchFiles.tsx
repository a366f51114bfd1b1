import { Input, SearchIcon } from '../../../ui/index.ts'
import styles from './SearchFiles.module.css'

/** In the head of a panel of files: what they are searched by. */
export function SearchFiles({
  label,
  placeholder,
  value,
  onSearch,
}: {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
}) {
  return (
    <Input
      type="search"
      className={styles.search}
      icon={SearchIcon}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onValueChange={onSearch}
    />
  )
}
