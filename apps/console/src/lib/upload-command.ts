/** Where source maps go. */
export interface UploadPlace {
  /** The address of this console. */
  readonly server: string
  readonly organization: string
  /** Slug. */
  readonly project: string
  /** '' for none: files with debug ids need none. */
  readonly release: string
}

/** What to type where the build is, so that its stacks can be read. */
export function uploadCommand({ server, organization, project, release }: UploadPlace): string {
  const target = `--url ${server} sourcemaps upload --org ${organization} --project ${project}`
  const named = release === '' ? '' : ` --release ${quoted(release)}`
  return `npx @sentry/cli sourcemaps inject ./dist\nnpx @sentry/cli ${target}${named} ./dist`
}

/** For a shell. */
const quoted = (text: string): string =>
  /^[\w@.+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
