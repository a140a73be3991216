/**
 * Auto-configuration of job versions.
 */
@NullMarked
package io.ojs.boot.version;

import org.jspecify.annotations.NullMarked;
