// Options of encryption at rest.

export interface EncryptionOptions {
  /** The encryption configuration file; undefined for none. */
  readonly encryptionProviderConfig: string | undefined;
  /** Whether that file is reloaded when it changes. */
  readonly encryptionProviderConfigAutomaticReload: boolean;
}

export const defaultEncryptionOptions: EncryptionOptions = {
  encryptionProviderConfig: undefined,
  encryptionProviderConfigAutomaticReload: false,
};

export function encryptionOptionProblems(options: EncryptionOptions): string[] {
  if (!options.encryptionProviderConfigAutomaticReload || options.encryptionProviderConfig !== undefined) return [];
  return ['--encryption-provider-config-automatic-reload must be set with --encryption-provider-config'];
}
