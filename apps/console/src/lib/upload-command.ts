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

/** What to type where an app for Android is built, so that its stacks can be read. */
export const mappingCommand = ({
  organization,
  project,
  server,
  uuid,
}: Omit<UploadPlace, 'release'> & {
  /** The one that its events name; '' where it is not known. */
  readonly uuid: string
}): string =>
  `npx @sentry/cli --url ${server} upload-proguard --org ${organization} --project ${project}${uuid === '' ? '' : ` --uuid ${uuid}`} app/build/outputs/mapping/release/mapping.txt`

/** What to type where native code is built, so that its debug files are kept. */
export const debugFilesCommand = ({ organization, project, server }: Omit<UploadPlace, 'release'>): string =>
  `npx @sentry/cli --url ${server} debug-files upload --org ${organization} --project ${project} ./build`

/** What to type where the build is, so that the commits of a release are known. */
export const commitsCommand = ({ organization, release, server }: Omit<UploadPlace, 'project'>): string =>
  `npx @sentry/cli --url ${server} releases set-commits --auto --org ${organization} ${quoted(release)}`

/** What to type after a deploy, so that it is known where the release runs. */
export const deployCommand = ({ organization, release, server }: Omit<UploadPlace, 'project'>): string =>
  `npx @sentry/cli --url ${server} deploys new --org ${organization} --release ${quoted(release)} --env production`

/** For a shell. */
const quoted = (text: string): string =>
  /^[\w@.+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
