import { pictureTexts } from './picture.ar.ts'
import { texts } from './ar.ts'

export const catalogue = { ...texts, ...pictureTexts }
