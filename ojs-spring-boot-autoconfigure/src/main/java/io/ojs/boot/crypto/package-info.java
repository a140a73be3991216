/**
 * Auto-configuration of encrypted arguments and of the endpoints that decrypt them.
 */
@NullMarked
package io.ojs.boot.crypto;

import org.jspecify.annotations.NullMarked;
