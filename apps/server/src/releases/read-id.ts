import { notFound } from '../http/index.ts'

/** @throws HttpError 404 for what no row has */
export const readId = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}
