import { Button, ChevronDownIcon, Menu, MenuItem } from '../../../ui/index.ts'
import type { ExploreSearch } from '../model/explore-search.ts'
import { fileAddress } from '../queries.ts'

/** The whole table as a file, with the pages that are not on screen. */
export function ExportMenu({ org, search }: { readonly org: string; readonly search: ExploreSearch }) {
  const save = (format: 'csv' | 'json') => {
    const link = document.createElement('a')
    link.href = fileAddress(org, search, format)
    link.download = `${search.dataset}.${format}`
    link.click()
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          Export <ChevronDownIcon size={14} />
        </Button>
      }
    >
      <MenuItem hint="for spreadsheets, all pages" onSelect={() => save('csv')}>
        CSV
      </MenuItem>
      <MenuItem hint="for programs, all pages" onSelect={() => save('json')}>
        JSON
      </MenuItem>
    </Menu>
  )
}
