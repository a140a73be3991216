/**
 * Versions of jobs: which processes can run which versions. Not part of the API.
 */
@NullMarked
package io.ojs.internal.version;

import org.jspecify.annotations.NullMarked;
