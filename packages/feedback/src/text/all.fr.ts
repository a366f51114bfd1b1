import { pictureTexts } from './picture.fr.ts'
import { texts } from './fr.ts'

export const catalogue = { ...texts, ...pictureTexts }
