import { EXPORT_ROWS_MAX, type FileFormat } from '@firsthand/contract'
import { formatCount } from '../../../lib/format.ts'
import { Button, ChevronDownIcon, Menu, MenuItem } from '../../../ui/index.ts'
import type { FileAddress } from './table-file.ts'

interface ExportMenuProps {
  /** What the file has: "transactions". */
  readonly things: string
  readonly addressOf: FileAddress
  readonly size?: 'normal' | 'small'
}

/** The whole list as a file, with the pages that are not on screen. */
export function ExportMenu({ things, addressOf, size = 'small' }: ExportMenuProps) {
  const save = (format: FileFormat) => {
    const link = document.createElement('a')
    link.href = addressOf(format)
    link.download = ''
    link.click()
  }
  const all = `all ${things}, up to ${formatCount(EXPORT_ROWS_MAX)}`
  return (
    <Menu
      align="end"
      trigger={
        <Button size={size} aria-label={`Export ${things}`}>
          Export <ChevronDownIcon size={14} />
        </Button>
      }
    >
      <MenuItem hint={`for spreadsheets: ${all}`} onSelect={() => save('csv')}>
        CSV
      </MenuItem>
      <MenuItem hint={`for programs: ${all}`} onSelect={() => save('json')}>
        JSON
      </MenuItem>
    </Menu>
  )
}
