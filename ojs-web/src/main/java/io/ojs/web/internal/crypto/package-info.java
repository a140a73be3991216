/**
 * Endpoints of encrypted arguments. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.crypto;

import org.jspecify.annotations.NullMarked;
