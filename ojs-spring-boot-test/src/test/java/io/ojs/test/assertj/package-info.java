@NullMarked
package io.ojs.test.assertj;

import org.jspecify.annotations.NullMarked;
